"""How sure a fit is, when only blocks are independent of each other.

The games of a block share a deal, and the pairs of a game share its players, so comparisons are not independent: a
covariance that counts them as if they were is wrong, and which way depends on the game. Here each block is one
observation, and what it pulls at the parameters is taken as it was observed (the "sandwich" covariance).

Few blocks need two corrections. A block pulls the fit towards itself, so what is left of its pull is too small: it is
scaled up by what the block's share in the fit predicts (known as CR2). And a variance estimated from few blocks is
itself unsure: the quantile is Student's, its degrees of freedom counted from how many blocks carry the estimate
(Satterthwaite).
"""

import numpy as np

from croupier_runner.ratings.comparisons import Comparisons, Floats

NORMAL_975 = 1.959963984540054
"""Student's 97.5 % quantile when there is no end of data."""


def block_pulls(comparisons: Comparisons, expected: Floats, hessian: Floats, information: Floats) -> Floats:
    """By block and parameter: what the block pulls at the fit, scaled up for its own share in it."""
    surprise = comparisons.halves / 2 - expected[comparisons.cell]
    parameters = comparisons.contrasts.shape[1]
    pulls = np.zeros((comparisons.blocks, parameters))
    for parameter in range(parameters):
        sign = comparisons.contrasts[comparisons.cell, parameter]
        pulls[:, parameter] = np.bincount(comparisons.block, weights=surprise * sign, minlength=comparisons.blocks)
    values, vectors = np.linalg.eigh(hessian)
    root = (vectors * np.sqrt(values)) @ vectors.T
    inverse_root = (vectors / np.sqrt(values)) @ vectors.T
    share, vectors = np.linalg.eigh(inverse_root @ information @ inverse_root)
    # A block that is all there is leaves nothing to measure its spread by; it is scaled up at most tenfold.
    scale = 1 / np.sqrt(np.clip(1 - share, 0.01, None))
    adjust = root @ ((vectors * scale[:, None, :]) @ vectors.transpose(0, 2, 1)) @ inverse_root
    order = np.argsort(comparisons.pattern, kind="stable")
    ends = np.cumsum(np.bincount(comparisons.pattern, minlength=len(adjust)))
    for matrix, blocks in zip(adjust, np.split(order, ends), strict=False):
        pulls[blocks] = pulls[blocks] @ matrix.T
    return pulls


def block_information(comparisons: Comparisons, expected: Floats) -> Floats:
    """By pattern: the information that a block of this pattern would give if its comparisons were independent."""
    _, example = np.unique(comparisons.pattern, return_index=True)
    contrasts, weight = comparisons.contrasts, expected * (1 - expected)
    order = np.argsort(comparisons.block, kind="stable")
    ends = np.searchsorted(comparisons.block[order], [example, example + 1])
    cells = [comparisons.cell[order[start:end]] for start, end in ends.T]
    parts = [contrasts[cell].T @ (weight[cell, None] * contrasts[cell]) for cell in cells]
    return np.array(parts).reshape(-1, contrasts.shape[1], contrasts.shape[1])


def degrees_of_freedom(comparisons: Comparisons, information: Floats, estimates: Floats) -> Floats:
    """By row of `estimates` (linear in the scores): how many blocks carry it, less the one that its mean takes."""
    variance = np.einsum("ip,kpq,iq->ik", estimates, information, estimates)
    times = np.bincount(comparisons.pattern, minlength=len(information))
    squares = (times * variance**2).sum(axis=1)
    carried = np.divide((times * variance).sum(axis=1) ** 2, squares, out=np.ones(len(estimates)), where=squares > 0)
    return np.asarray(np.maximum(carried - 1, 1.0), dtype=float)


def student_975(freedom: Floats) -> Floats:
    """Student's 97.5 % quantile (Cornish-Fisher series; from 3 degrees of freedom on within 1 %)."""
    z, v = NORMAL_975, np.maximum(freedom, 2.0)
    series = (
        (z**3 + z) / 4 / v
        + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / v**2
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / v**3
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160 / v**4
    )
    return np.asarray(z + series, dtype=float)
