"""What follows from the papers' tables, against numbers worked out by hand or printed by the paper."""

from __future__ import annotations

import pytest

from core.published.catalogue import BENCHMARKS, findings, rows
from core.published.placing import placements, possible_sizes
from core.published.records import Finding


def found(benchmark: str) -> dict[str, Finding]:
    named = {finding.name: finding for finding in findings(benchmark)}
    assert len(named) == len(findings(benchmark))
    return named


def test_vrexs_correlations_come_back() -> None:
    of = found("vrex")
    assert round(of["pearson_following_overall"].value, 3) == 0.948
    assert round(of["pearson_planning_overall"].value, 3) == 0.857
    assert "0.858" in of["pearson_planning_overall"].note


def test_vrexs_plain_means_are_recomputed_and_those_off_listed() -> None:
    of = found("vrex")
    assert of["category_means_off_table_1"].value == 2
    assert "InternVL3.5-2B following 60.5" in of["category_means_off_table_1"].note
    assert "Qwen2.5-VL-7B planning 57.1" in of["category_means_off_table_1"].note
    assert of["category_means_off_table_3"].value == 1
    assert "Gemini 2.5 Flash direct 72.7" in of["category_means_off_table_3"].note
    # Five rounded figures may differ by a tenth; none does by more.
    assert of["category_means_beyond_rounding_table_1"].value == 0
    assert of["category_means_beyond_rounding_table_3"].value == 0


def test_vrexs_change_ratios() -> None:
    of = found("vrex")
    assert of["change_ratio_planning/GPT-5"].value == pytest.approx((86.0 - 77.1) / 77.1)
    assert of["change_ratio_following/Qwen3-VL-2B-IT"].value == pytest.approx((54.0 - 44.6) / 44.6)
    assert of["change_ratio_planning/Qwen3-VL-2B-IT"].value < 0
    mean = {name: of[f"change_ratio_planning_mean/{name}"].value for name in ("Deduction", "Guessing", "Navigation")}
    assert of["change_ratio_planning_mean/Retrieval"].value < min(mean.values())  # section 5.2


def test_vrexs_recovery_says_what_table_2_says_and_names_the_contradiction() -> None:
    of = found("vrex")
    planning = [65.9, 65.5, 66.9, 69.2, 65.1, 65.4, 78.9, 84.3, 79.0, 80.6, 69.5, 72.7]
    following = [55.9, 52.6, 62.1, 63.2, 52.9, 45.6, 56.5, 53.6, 59.5, 57.3, 59.4, 51.8]
    assert of["recovery_mean/planning"].value == pytest.approx(sum(planning) / 12)
    assert of["recovery_mean/following"].value == pytest.approx(sum(following) / 12)
    assert "section 12" in of["recovery_planning_over_following"].note


def test_vrexs_scaling() -> None:
    of = found("vrex")
    assert of["following_by_planning/LLaVA-OV-1B"].value == pytest.approx(50.8 / 35.1)
    assert of["following_by_planning_mean/< 7B"].value > 1.2
    assert of["following_by_planning_mean/> 10B"].value == pytest.approx(1, abs=0.05)
    for size in ("< 7B", "7B - 10B", "> 10B", "Proprietary"):  # finding 2
        assert of[f"ability_spread_following/{size}"].value < of[f"ability_spread_planning/{size}"].value


def test_vrexs_counts() -> None:
    of = found("vrex")
    assert of["mean_steps"].value == pytest.approx(2504 / 702)
    assert (of["models"].value, of["samples_table_3"].value) == (32, 351)


def test_mmras_overall_comes_back_for_all_seventeen_rows() -> None:
    of = found("mmra")
    overall = [row for row in rows("mmra") if row.table == "2" and row.group == "all"]
    assert len(overall) == 17
    for row in overall:
        recomputed = of[f"overall_recomputed_table_2/{row.model} {row.protocol}"].value
        assert recomputed == pytest.approx(row.number, abs=0.04)
    assert of["overall_off_at_most_table_2"].value < 0.04


def test_mmras_table_4_is_a_plain_mean() -> None:
    assert found("mmra")["means_off_table_4"].value == 0


def test_mmras_gain_over_the_question_alone() -> None:
    of = found("mmra")
    alone = [31.76, 23.66, 32.36, 37.11, 40.43, 38.97, 41.68, 41.57, 26.78]
    assert of["question_only_mean/Overall"].value == pytest.approx(sum(alone) / 9)
    assert of["gain_Overall/GPT4o"].value == pytest.approx(67.29 - sum(alone) / 9)
    assert of["gain_mean_image_level"].value > 2 * of["gain_mean_entity_level"].value
    entity = {name: of[f"gain_mean/{name}"].value for name in ("RP", "US", "MS", "SM", "AS", "NSE")}
    assert max(entity, key=entity.__getitem__) == "MS"  # section 4.2


def test_mmras_misplaced_columns_are_told_by_their_denominators() -> None:
    of = found("mmra")
    name = "LLaMA-3-8B-Instruct dq"
    assert of[f"overall_as_headed_table_3/{name}"].value == pytest.approx(54.42, abs=0.01)
    # 42 + 60 + 38 + 70 + 31 + 36 + 60 + 51 + 52 + 56 + 51 right of 1,024
    assert of[f"overall_by_denominators_table_3/{name}"].value == pytest.approx(100 * 547 / 1024, abs=0.01)
    assert "according to how they are placed" not in of[f"overall_by_denominators_table_3/{name}"].note


def test_sizes_are_shared_by_lines_where_one_fits_them_all() -> None:
    lines = [["50.00", "33.33"], ["25.00", "66.67"]]
    possible = possible_sizes(lines, [4, 6])
    assert possible[1] == [{4}, {6}]
    assert list(placements(possible[0], [4, 6])) == [(4, 6)]


def test_voilas_gaps_of_people_to_the_best_model() -> None:
    of = found("voila")
    assert of["gap_people_best/WD"].value == pytest.approx(71.36 - 13.16)
    assert "LLaMa 3.2" in of["gap_people_best/WD"].note
    assert of["gap_people_best/ND"].value == pytest.approx(69.69 - 29.03)
    assert of["gap_people_same_conditions"].value == pytest.approx(71.36 - 6.8)


def test_voilas_ablations() -> None:
    of = found("voila")
    assert of["gain_of_text"].value == 27
    assert of["gain_of_subprompts"].value == pytest.approx(-0.5)
    assert of["gain_of_worked_examples"].value == pytest.approx(5.96 - 6.44)
    assert of["gain_of_gold_relations"].value == pytest.approx(17 - 6.44)
    assert of["fall_to_collage/GPT-4o WD"].value == pytest.approx(100 * (1 - 3.94 / 6.44))
    assert of["fall_by_distraction/GPT-4o sequence"].value == pytest.approx(29.03 - 6.44)


def test_voilas_judge_agrees_as_often_as_its_counts_say() -> None:
    of = found("voila")
    assert of["judge_agreement/describe"].value == pytest.approx(100 * 137 / 150)
    assert of["judge_percentages_off"].value == 0
    assert "relate number: 48 of 50" in of["judge_counts_that_do_not_add_up"].note


def test_voilas_counts_of_questions_say_what_they_count() -> None:
    of = found("voila")
    assert of["images"].value == 7280
    assert (of["questions_tested/WD"].value, of["questions_tested/ND"].value) == (10013, 3689)
    assert of["questions_possible/table 7"].value == 11518747968
    assert of["questions_possible/text"].value == 6473376


def test_figures_that_stand_in_two_tables_agree_but_for_one() -> None:
    differ = {benchmark: found(benchmark)["figures_that_contradict"] for benchmark in BENCHMARKS}
    assert [differ[benchmark].value for benchmark in BENCHMARKS] == [1, 0, 0]
    assert "5.20 (table 2) and 6.8 (table 4)" in differ["voila"].note
    assert found("voila")["wholes_their_properties_forbid"].value == 0


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_what_the_paper_states_is_among_the_findings(benchmark: str) -> None:
    stated = {name for name in found(benchmark) if name.startswith("stated/")}
    assert {"voila": "stated/images", "vrex": "stated/samples", "mmra": "stated/image pairs"}[benchmark] in stated
