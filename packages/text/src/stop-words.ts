/**
 * English words that carry no topic: articles, pronouns, auxiliaries, conjunctions, question words, bare prepositions.
 *
 * A list of our own, for three reasons. An index and its queries must agree for years, and a library's list may change
 * under them. Published lists leave in words of every question ("when", "why", "does") and take out words that people
 * search for ("like", "make", "never", "way"). And words of order, place and number ("before", "under", "few") help to
 * find the right sentence, so they stay; as do `may` (the month) and `will` (the person, the document): a term that is
 * too common weighs little, while a missing one finds nothing.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the
  and or but nor so if than then because as while until although though
  of at by for with about to from up down in out on off
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
  herself it its itself they them their theirs themselves
  this that these those here there
  who whom whose what which when where why how
  am is are was were be been being have has had having do does did doing done would should could can shall might must
  cannot
  not no any some such other own too very just also
  dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt cant hasnt havent hadnt
  im ive youre youve theyre theyve thats whats`.split(/\s+/),
)
