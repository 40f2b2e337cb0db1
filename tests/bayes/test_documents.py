"""The words that tell most, against a model of each class and the rest."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from supervised.bayes.documents import telling_words
from supervised.bayes.engine.text import BernoulliTextClassifier, MultinomialTextClassifier
from tests.bayes.test_engine_text import corpus

both = pytest.mark.parametrize("kind", [MultinomialTextClassifier, BernoulliTextClassifier])


@both
@pytest.mark.parametrize("smoothing", [0, 1])
def test_telling_words(kind, smoothing):
    X, y, _ = corpus(15)
    model = kind(smoothing).fit(X, y)
    words = [f"word{t}" for t in range(25)]
    table = telling_words(model, words, n=25)
    for c in model.classes_:
        against_the_rest = kind(smoothing).fit(X, np.where(y == c, "1", "0"))
        there, here = against_the_rest.word_probabilities_.T
        part = table[table["class"] == c].set_index("word").loc[words]
        np.testing.assert_allclose(part["probability"], here, rtol=1e-12)
        np.testing.assert_allclose(part["elsewhere"], there, rtol=1e-12)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(here) - np.log(there)
        np.testing.assert_allclose(part["log_ratio"], np.where(here > 0, ratio, -np.inf),
                                   rtol=1e-10, atol=1e-12)
        order = table.loc[table["class"] == c, "log_ratio"].to_numpy()
        assert (order[:-1] >= order[1:]).all()
    assert (telling_words(model)["word"].iloc[0] in range(25)
            and len(telling_words(model, n=2)) == 6)
    frame = pd.DataFrame(X.toarray(), columns=words)
    assert telling_words(kind().fit(frame, y), n=1)["word"].isin(words).all()
    with pytest.raises(ValueError, match="25 columns"):
        telling_words(model, words[:-1])
    with pytest.raises(ValueError, match="n is 0"):
        telling_words(model, n=0)
    with pytest.raises(NotFittedError):
        telling_words(kind())
