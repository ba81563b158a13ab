"""The language of a text: sure when it is another than the question's, silent when it cannot be told."""

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.languages import in_language_of, is_english
from tests.rows import each

ENGLISH = "The paper shows that sleep is important for the memory of adults, and it was measured in a large trial."
OTHERS = {
    "German": "Die Arbeit zeigt, dass der Schlaf für das Gedächtnis wichtig ist und nicht nur mit dem Alter abnimmt.",
    "French": "Cet article montre que le sommeil est important pour la mémoire et que les adultes dorment moins.",
    "Spanish": "El artículo muestra que el sueño es importante para la memoria y que los adultos duermen menos.",
    "Portuguese": "O artigo mostra que o sono é importante para a memória e que os adultos não dormem o suficiente.",
    "Italian": "Il lavoro mostra che il sonno è importante per la memoria e che gli adulti non dormono abbastanza.",
    "Dutch": "Het artikel laat zien dat slaap belangrijk is voor het geheugen en dat wij niet genoeg slapen.",
    "Russian": "Статья показывает, что сон важен для памяти взрослых людей.",
    "Chinese": "这篇论文表明睡眠对成年人的记忆很重要。",
    "Japanese": "この論文は、睡眠が成人の記憶にとって重要であることを示している。",
    "Arabic": "تظهر هذه الورقة أن النوم مهم لذاكرة البالغين.",
}


@each("name", OTHERS)
def test_an_answer_in_another_language_is_noticed(name: str) -> None:
    assert not in_language_of(OTHERS[name], ENGLISH)
    assert not in_language_of(ENGLISH, OTHERS[name])
    assert in_language_of(OTHERS[name], OTHERS[name])


@each("text", ["BERT pruning, quantization", "CRISPR-Cas9", "", "42 %", "0.93", "α-synuclein and tau"])
def test_terms_and_figures_are_in_every_language(text: str) -> None:
    assert in_language_of(text, "How does sleep affect the memory of adults?")
    assert in_language_of(ENGLISH, text)


def test_a_list_of_english_terms_is_a_question_for_english_answers() -> None:
    assert in_language_of(ENGLISH, "contrastive learning medical image segmentation")
    assert in_language_of(
        "Compares dense and sparse retrieval on biomedical text.", "Which retrieval is the best for text?"
    )


@given(st.text(), st.text())
def test_any_two_texts_get_an_answer(text: str, question: str) -> None:
    assert in_language_of(text, question) in (True, False)
    assert in_language_of(text, text)


@each("name", OTHERS)
def test_a_text_in_another_language_is_not_english(name: str) -> None:
    assert not is_english(OTHERS[name])
    assert not is_english("Forskning om sömn och minne")


@each(
    "text",
    [
        ENGLISH,
        "malaria",
        "contrastive learning medical image segmentation",
        "papers by Ludwig van der Berg on von Neumann entropy",
        'papers that cite "Theorie und Praxis" and what came of it',
        "Élise Dupré's papers on glaciers",
        "van der Waals heterostructures",
        "Devlin et al. on pre-training",
        "São Paulo dengue outbreaks",
        "Mar del Plata coastal erosion",
        "les misérables adaptation studies",
        "het oxidation catalysts",
        "Erdős–Rényi random graphs",
        "una via de señalización mTOR review",
    ],
)
def test_bare_terms_names_and_a_foreign_title_leave_a_question_english(text: str) -> None:
    assert is_english(text)


@each(
    "text",
    [
        "Schlaf und Gedächtnis",
        "Einfluss von Stress auf das Immunsystem",
        "impact du stress sur le cancer",
        "efectos de la cafeína en el sueño",
        "mudanças climáticas e agricultura no Brasil",
        "het effect van slaap op geheugen",
        "Welche Verfahren mindern Halluzinationen in großen Sprachmodellen?",
        "effecten van luchtvervuiling op kinderen",
        "detección de noticias falsas",
        "strojové učení v medicíně",
    ],
)
def test_two_signs_of_another_language_are_enough_in_a_short_question(text: str) -> None:
    assert not is_english(text)


def test_a_text_without_letters_is_in_no_language() -> None:
    assert not is_english("42 %")
