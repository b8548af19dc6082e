package croupier.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  private static final Path EXAMPLE = Path.of("examples/LastBot.java");

  @Test
  void theReadmeShowsTheExampleAsItIs() throws IOException {
    String shown = "```java\n" + Files.readString(EXAMPLE) + "```\n";
    assertTrue(Files.readString(Path.of("README.md")).contains(shown));
  }

  @Test
  void theExampleCompiles(@TempDir Path classes) {
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                EXAMPLE.toString());
    assertEquals(0, result);
  }
}
