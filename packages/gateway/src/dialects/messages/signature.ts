/**
 * What thinking is signed with where the upstream gave no signature: clients drop thinking without one. It proves
 * nothing, and when it comes back it is dropped.
 */
export const OWN_SIGNATURE = "Y3Vyc29yd2lyZQ==";
