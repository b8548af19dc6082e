# The stubs, made from the protos whenever those change: croupier_stubs.

get_filename_component(protos "${CMAKE_CURRENT_SOURCE_DIR}/../../protos" ABSOLUTE)
set(stubs "${CMAKE_CURRENT_BINARY_DIR}/stubs")
file(MAKE_DIRECTORY "${stubs}")
file(GLOB_RECURSE proto_files RELATIVE "${protos}" CONFIGURE_DEPENDS "${protos}/*.proto")

set(sources "")
# Makes the stubs of one proto; OUTPUTS are file name endings, ARGN the arguments that make them.
function(generate root proto outputs)
  string(REGEX REPLACE "\\.proto$" "" stem "${proto}")
  list(TRANSFORM outputs PREPEND "${stubs}/${stem}")
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND protobuf::protoc "--proto_path=${root}" ${ARGN} "${proto}"
    DEPENDS "${root}/${proto}" protobuf::protoc
    COMMENT "Generating the stubs of ${proto}"
    VERBATIM)
  set(sources ${sources} ${outputs} PARENT_SCOPE)
endfunction()

foreach(proto IN LISTS proto_files)
  generate("${protos}" "${proto}" ".pb.h;.pb.cc" "--cpp_out=${stubs}")
endforeach()
# Only protos with a service have something to say to gRPC's plugin; this is the one that bots call.
generate("${protos}" croupier/v1/bots.proto ".grpc.pb.h;.grpc.pb.cc" "--grpc_out=${stubs}"
         "--plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN}")
generate("${CMAKE_CURRENT_SOURCE_DIR}/protos" croupier/client/rich_status.proto ".pb.h;.pb.cc" "--cpp_out=${stubs}")

add_library(croupier_stubs STATIC ${sources})
target_include_directories(croupier_stubs SYSTEM PUBLIC "${stubs}")
target_link_libraries(croupier_stubs PUBLIC gRPC::grpc++ protobuf::libprotobuf)
