/**
 * The signature of thinking for which the upstream gave none, because clients drop thinking without one. It proves
 * nothing, and it is dropped when it comes back.
 */
export const OWN_SIGNATURE = "Y3Vyc29yd2lyZQ==";
