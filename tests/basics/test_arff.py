"""WEKA's files: beside SciPy's reader where that can read them,
and what is refused, with its line."""

import io

import numpy as np
import pytest
from scipy.io import arff

from supervised.basics.datasets import read_arff
from supervised.trees import C45Classifier

HEAD = "@relation t\n@attribute n numeric\n@attribute c {b, a}\n@data\n"


def read(text, **options):
    return read_arff(io.StringIO(text), **options)


def test_scipy_reads_the_same():
    rng = np.random.default_rng(0)
    words, labels = ["x_y", "z"], ["u", "v"]
    lines = [f"{rng.normal():.4f},{words[rng.integers(2)]},{rng.integers(9)},{labels[rng.integers(2)]}"  # noqa: E501
             for _ in range(50)]
    text = ("% a comment\n@RELATION 'some thing'\n@Attribute 'a name' REAL\n"
            "@attribute k {x_y,z}\n@attribute i integer\n@attribute class {v, u}\n\n@DATA\n"
            + "\n".join(lines))
    X, y = read(text)
    theirs, meta = arff.loadarff(io.StringIO(text))
    assert list(X.columns) + [y.name] == meta.names()
    for name in ("a name", "i"):
        assert np.array_equal(X[name], theirs[name])
    for name, column in (("k", X["k"]), ("class", y)):
        assert column.tolist() == [v.decode() for v in theirs[name]]
        assert column.cat.categories.tolist() == list(meta[name][1])
    assert C45Classifier().fit(X, y).classes_.tolist() == ["u", "v"]


def test_gaps_quotes_and_escapes():
    X, y = read("@relation r\n@attribute \"it's\" string\n"
                "@attribute 'a\\'b' {'?', 'x, y', '%', \"{\"}\n"
                "@attribute n numeric % knots\n@attribute y {1, 0}\n@data\n"
                "'so, \\'it\\' is', '?', ?, 1\n? ? 2e1 0 % the end\n\"50%\",'x, y',-3,0\n"
                "word,\"{\",0,1\n")
    assert list(X.columns) == ["it's", "a'b", "n"]
    assert X["it's"].tolist() == ["so, 'it' is", None, "50%", "word"]
    assert X["a'b"].isna().tolist() == [False, True, False, False] and X["a'b"][0] == "?"
    assert (X["a'b"][2] == "x, y"
            and X["a'b"].cat.categories.tolist() == ["?", "x, y", "%", "{"])
    assert np.array_equal(X["n"], [np.nan, 20, -3, 0], equal_nan=True)
    assert y.tolist() == ["1", "0", "0", "1"]


def test_a_comment_may_touch_the_last_value():
    X, y = read("@relation r\n@attribute s string\n@attribute t string\n@data\n"
                "50,a%the\n'50%',b%\n")
    assert X["s"].tolist() == ["50", "50%"] and y.tolist() == ["a", "b"]


def test_the_class_is_chosen_by_name():
    X, y = read(HEAD + "1,a\n", target="n")
    assert y.tolist() == [1] and list(X.columns) == ["c"]
    with pytest.raises(ValueError,
                       match=r"no attribute 'N' to be the class; there are \['n', 'c'\]"):
        read(HEAD + "1,a\n", target="N")


def test_sparse_rows():
    X, y = read(HEAD + "{}\n{0 2.5}\n{1 a, 0 ?}\n")
    assert (np.array_equal(X["n"], [0, 2.5, np.nan], equal_nan=True)
            and y.tolist() == ["b", "b", "a"])


def test_a_path_and_no_rows(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text("\ufeff" + HEAD.replace("{b", "{\u00e4"), encoding="utf-8")
    X, y = read_arff(path)
    assert X.shape == (0, 1) and y.cat.categories.tolist() == ["\u00e4", "a"]


@pytest.mark.parametrize("text, message", [
    (HEAD + "1,a\n1,c\n", "line 6: 'c' is not in the domain of 'c': b, a"),
    (HEAD + "one,a", "line 5: 'n' is numeric, and 'one' is no number"),
    (HEAD + "inf,a", "line 5: 'n' is numeric"),
    (HEAD + "'?',a", "line 5: 'n' is numeric, and '\\?'"),
    (HEAD + "1", "line 5: 1 value for 2 attributes"),
    (HEAD + "1,,a", "line 5: 3 values for 2"),
    (HEAD + ",a", "line 5: 2 values for 2 attributes, or one that is empty"),
    (HEAD + "1,a,a", "line 5: 3 values for 2"),
    (HEAD + "1,'a", "line 5: can't be read from \"'a\" on"),
    (HEAD + "1,a,{3}", "line 5: weights of instances"),
    (HEAD + "{2 a}", "line 5: a sparse row has pairs of a place, from 0 to 1"),
    (HEAD + "{0}", "line 5: a sparse row has pairs"),
    (HEAD + "{0 1", "line 5: a sparse row"),
    ("@attribute d date 'yyyy'\n@data\n", "line 1: attribute 'd' is of kind 'date'"),
    ("@attribute r relational\n@data\n", "line 1: attribute 'r' is of kind 'relational'"),
    ("@attribute d\n@data\n", "line 1: attribute 'd' is of kind ''"),
    ("@attribute c {a, a}\n", "line 1: the domain of 'c' repeats"),
    ("@attribute c {a, b\n", "line 1: the domain of 'c' repeats a value or is not closed"),
    ("@attribute a real\n@attribute a real\n",
     "line 2: attribute 'a' has no name, or occurs twice"),
    ("@attribute\n", "line 1: attribute '' is of kind"),
    ("a,b\n1,2\n", "line 1: 'a,b' stands where @attribute or @data"),
    ("@attribute t string\n@attribute n real\n@data\n{1 2}",
     "line 4: a sparse row that is not closed, or has text"), ("", "no ARFF file"),
    ("@relation r\n@attribute a real\n", "no ARFF file"),
    ("@data\n1\n", "1 value for 0 attributes"),
])
def test_what_can_not_be_read_is_named_with_its_line(text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_escapes_are_what_weka_writes():
    """As in its file of chocolate: a line break, and not the letter n."""
    X, _ = read("@relation r\n@attribute s string\n@attribute t {'a\\nb', c}\n@data\n"
                r"'COCOA\nShowers \\n \'x\' \"y\" 5\% \u0041\t!','a\nb'")
    assert X["s"].tolist() == ["COCOA\nShowers \\n 'x' \"y\" 5% A\t!"]


def test_bytes_and_their_encoding():
    raw = HEAD.replace("{b", "{\u00e4").encode("latin-1") + b"1,a\n"
    file = io.BytesIO(raw)
    X, y = read_arff(file, encoding="latin-1")
    assert y.cat.categories.tolist() == ["\u00e4", "a"] and not file.closed
    assert X["n"].tolist() == [1]
    with pytest.raises(ValueError, match="not in utf-8: byte 0xe4 .* encoding='latin-1'"):
        read_arff(io.BytesIO(raw))
