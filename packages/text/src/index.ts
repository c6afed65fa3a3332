export { ANALYZER_VERSION, analyze, queryTerms, termFrequencies } from './analyze.js'
export {
  BM25_DEFAULTS,
  bm25InverseDocumentFrequency,
  bm25TermScore,
  type Bm25Parameters,
  type Bm25Term,
} from './bm25.js'
export {
  createBm25Index,
  type Bm25Document,
  type Bm25Hit,
  type Bm25Index,
  type Bm25IndexOptions,
} from './bm25-index.js'
export { compareText } from './compare-text.js'
export { escapeXml } from './escape-xml.js'
export { estimateTokens } from './estimate-tokens.js'
export { fence, type FenceOptions } from './fence.js'
export { mergeHybrid, type HybridCandidate, type MergeHybridOptions } from './merge-hybrid.js'
export { redact, type CustomRedactionRule, type Redaction, type RedactionResult } from './redact.js'
export { repairJson, type RepairJsonOptions } from './repair-json.js'
export { neutralize, type NeutralizeOptions } from './neutralize.js'
export { headOf, sliceText, tailOf } from './slice-text.js'
export { splitSentences } from './split-sentences.js'
export { tokenize } from './tokenize.js'
