// Glue for calibration trials that are compiled end to end.
#include <noiseaware/score/count_trials.hpp>
#include <noiseaware/score/sum_trials.hpp>

#include "families_glue.h"
#include "infer_glue.h"
#include "noise_glue.h"
#include "tally_glue.h"

using noiseaware::NoiseKind;
using noiseaware::TrialMethod;

namespace {

TrialMethod decode_method(const std::string& name) {
  if (name == "exact") return TrialMethod::exact;
  if (name == "records") return TrialMethod::records;
  if (name == "clt") return TrialMethod::clt;
  if (name == "gibbs") return TrialMethod::gibbs;
  if (name == "naive") return TrialMethod::naive;
  throw std::invalid_argument("unknown method");
}

//! `noise`: name, scales, steps, query (its hash).
noiseaware::TrialNoise decode_trial_noise(const Rcpp::List& noise) {
  const noiseaware_r::NoiseScales scales(noise);
  noiseaware::TrialNoise out;
  out.kind = scales.kind;
  out.scales = scales.scales;
  out.steps = Rcpp::as<std::vector<double>>(noise["steps"]);
  out.query_hash = Rcpp::as<std::string>(noise["query"]);
  return out;
}

noiseaware::TrialMoments decode_moments(const Rcpp::List& study) {
  const Rcpp::List plan = study["plan"];
  const auto layout = noiseaware_r::moment_layout(plan);
  return noiseaware::TrialMoments(layout.plan, noiseaware_r::moment_terms(plan, layout),
                                  decode_trial_noise(study["noise"]));
}

noiseaware::TrialTables decode_tables(const Rcpp::List& study) {
  const Rcpp::List plan = study["plan"];
  return noiseaware::TrialTables(noiseaware_r::table_plan(plan), noiseaware_r::table_cells(plan),
                                 decode_trial_noise(study["noise"]));
}

noiseaware::TrialRun decode_run(const Rcpp::List& run) {
  noiseaware::TrialRun out;
  out.chains = run["chains"];
  out.iter = run["iter"];
  out.warmup = run["warmup"];
  out.thin = run["thin"];
  return out;
}

//! What the studies of all families share: place, records, method, max_work, run.
template <class Study>
void decode_study(const Rcpp::List& study, Study& out) {
  for (const double at : Rcpp::as<std::vector<double>>(study["place"]))
    out.place.push_back(static_cast<std::size_t>(at));
  out.records = static_cast<std::size_t>(Rcpp::as<double>(study["records"]));
  out.method = decode_method(Rcpp::as<std::string>(study["method"]));
  out.max_work = study["max_work"];
  out.run = decode_run(study["run"]);
}

noiseaware::TrialSettings decode_settings(const Rcpp::List& work) {
  noiseaware::TrialSettings out;
  out.seed = noiseaware_r::seed_of(work["seed"]);
  out.cell = noiseaware_r::seed_of(work["cell"]);
  out.trials = Rcpp::as<std::vector<double>>(work["trials"]);
  out.prob = work["prob"];
  out.cores = work["cores"];
  return out;
}

//! One row per trial and variable; a trial that failed has one row and its message.
class TrialTable {
 public:
  explicit TrialTable(const std::vector<noiseaware::TrialResult>& results,
                      const std::vector<double>& trials) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i].failure.empty()) add(trials[i], NA_INTEGER, NA_REAL, failed());
      for (std::size_t k = 0; k < results[i].scores.size(); ++k)
        add(trials[i], static_cast<int>(k) + 1, results[i].truth[k], results[i].scores[k]);
      const std::size_t rows = results[i].failure.empty() ? results[i].scores.size() : 1;
      messages_.insert(messages_.end(), rows, results[i].failure);
    }
  }

  Rcpp::List encode() const {
    Rcpp::List out = Rcpp::List::create(
        Rcpp::Named("trial") = trial_, Rcpp::Named("variable") = variable_,
        Rcpp::Named("truth") = truth_, Rcpp::Named("message") = Rcpp::wrap(messages_));
    using noiseaware::TrialScore;
    const std::vector<std::pair<const char*, double TrialScore::*>> columns = {
        {"u", &TrialScore::u},         {"mean", &TrialScore::mean},
        {"sd", &TrialScore::sd},       {"lower", &TrialScore::lower},
        {"upper", &TrialScore::upper}, {"draws", &TrialScore::draws}};
    for (const auto& column : columns) {
      Rcpp::NumericVector values;
      for (const TrialScore& score : scores_) values.push_back(score.*column.second);
      out[column.first] = values;
    }
    return out;
  }

 private:
  void add(double trial, int variable, double truth, const noiseaware::TrialScore& score) {
    trial_.push_back(trial);
    variable_.push_back(variable);
    truth_.push_back(truth);
    scores_.push_back(score);
  }

  static noiseaware::TrialScore failed() {
    return {NA_REAL, NA_REAL, NA_REAL, NA_REAL, NA_REAL, NA_REAL};
  }

  std::vector<double> trial_, truth_;
  std::vector<int> variable_;
  std::vector<noiseaware::TrialScore> scores_;
  std::vector<std::string> messages_;
};

template <class Family>
Rcpp::List score_trials(const Family& family, const Rcpp::List& work) {
  const noiseaware::TrialSettings settings = decode_settings(work);
  const auto results = noiseaware::run_trials(family, settings, noiseaware_r::RMonitor(R_NilValue));
  return TrialTable(results, settings.trials).encode();
}

}  // namespace

//! `study`: plan, noise, problem, place, binary, unknown, records, method, max_work, run;
//! `work`: seed, cell, trials, prob, cores.
// [[Rcpp::export(rng = false)]]
Rcpp::List count_trials_cpp(Rcpp::List study, Rcpp::List work) {
  noiseaware::CountStudy decoded;
  decode_study(study, decoded);
  decoded.problem = noiseaware_r::decode_problem(study["problem"]);
  decoded.binary = study["binary"];
  decoded.unknown = study["unknown"];
  const Rcpp::List plan = study["plan"];
  if (Rcpp::as<std::string>(plan["kind"]) == "tables")
    return score_trials(
        noiseaware::CountTrials<noiseaware::TrialTables>(decoded, decode_tables(study)), work);
  return score_trials(
      noiseaware::CountTrials<noiseaware::TrialMoments>(decoded, decode_moments(study)), work);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List rate_trials_cpp(Rcpp::List study, Rcpp::List work) {
  noiseaware::SumStudy<noiseaware::ScalarProblem> decoded;
  decode_study(study, decoded);
  decoded.problem = noiseaware_r::decode_scalar(study["problem"]);
  return score_trials(noiseaware::RateTrials(decoded, decode_moments(study)), work);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List normal_trials_cpp(Rcpp::List study, Rcpp::List work) {
  noiseaware::SumStudy<noiseaware::NormalProblem> decoded;
  decode_study(study, decoded);
  decoded.problem = noiseaware_r::decode_normal(study["problem"]);
  return score_trials(noiseaware::NormalTrials(decoded, decode_moments(study)), work);
}
