// Decodes and encodes what passes between R and a ledger.
#ifndef NOISEAWARE_SRC_LEDGER_GLUE_H
#define NOISEAWARE_SRC_LEDGER_GLUE_H

#include "convert.h"
//
#include <noiseaware/io/ledger.hpp>
#include <string>

namespace noiseaware_r {

//! Lets the user interrupt while another process holds the lock.
inline noiseaware::LockWait interruptible_wait() {
  noiseaware::LockWait wait;
  wait.idle = [] { Rcpp::checkUserInterrupt(); };
  return wait;
}

//! The keys of ledger_charge() in R/release-ledger-charge.R.
inline noiseaware::SpendRequest spend_request(const Rcpp::List& x) {
  const auto text = [&](const char* key) { return Rcpp::as<std::string>(x[key]); };
  const double size = x["size"];
  if (!(size >= 1 && size < 1e9)) throw std::invalid_argument("size must be from 1 to 999999999");
  return {noiseaware::parse_budget_unit(text("unit")),
          noiseaware::parse_units(text("cost"), "cost"), text("query"),
          static_cast<std::uint64_t>(size), text("mechanism")};
}

//! The budget the charge was made out for, as ledger_open() saw it.
inline noiseaware::LedgerBudget opened_budget(const Rcpp::List& x) {
  const auto text = [&](const char* key) { return Rcpp::as<std::string>(x[key]); };
  return {noiseaware::parse_budget_unit(text("unit")), text("population"),
          noiseaware::parse_units(text("budget_units"), "budget"), "", ""};
}

inline Rcpp::List encode_failure(const char* kind, const char* message) {
  return Rcpp::List::create(Rcpp::Named("status") = "ledger", Rcpp::Named("kind") = kind,
                            Rcpp::Named("message") = message);
}

//! What `call` returns, or status "ledger" with what is wrong. As a value and
//! not an R error, so that the message can be classed and carries no call.
template <class Call>
Rcpp::List with_ledger_failures(Call call) {
  try {
    return call();
  } catch (const noiseaware::LedgerError& error) {
    return encode_failure(error.kind(), error.what());
  } catch (const noiseaware::FileExists& error) {
    return encode_failure("exists", error.what());
  } catch (const noiseaware::LockTimeout& error) {
    return encode_failure("locked", error.what());
  } catch (const noiseaware::FileError& error) {
    return encode_failure("file", error.what());
  } catch (const std::invalid_argument& error) {
    return encode_failure("request", error.what());
  }
}

//! Status "charged" or "refused" with the ledger's numbers after the call, or
//! "ledger" with what is wrong with it.
inline Rcpp::List charge_ledger(const Rcpp::List& charge) {
  return with_ledger_failures([&] {
    const auto opened = opened_budget(charge);
    const auto result = noiseaware::spend(Rcpp::as<std::string>(charge["path"]),
                                          spend_request(charge), interruptible_wait(), &opened);
    return Rcpp::List::create(Rcpp::Named("status") = result.accepted ? "charged" : "refused",
                              Rcpp::Named("accepted") = result.accepted,
                              Rcpp::Named("seq") = std::to_string(result.seq),
                              Rcpp::Named("head") = result.head,
                              Rcpp::Named("spent") = noiseaware::to_decimal(result.spent),
                              Rcpp::Named("asked") = noiseaware::to_decimal(result.asked),
                              Rcpp::Named("left") = noiseaware::to_decimal(result.left));
  });
}

}  // namespace noiseaware_r

#endif
