/** Something in a script that a person should look at before the skill is used. */
export interface ScanRule {
  /** Stable; see `ScanRuleName`. */
  readonly name: ScanRuleName
  /**
   * What a line has to have, one after the other. Gaps between them cost one pass, which `.*` within one expression
   * would not; no expression has a repetition inside of a repetition.
   */
  readonly steps: readonly RegExp[]
}

/** What a finding of the scan is about (spec 03, 4.10). */
export type ScanRuleName =
  | 'recursive_delete'
  | 'fork_bomb'
  | 'raw_disk'
  | 'encoded_shell'
  | 'downloaded_code'
  | 'download_to_shell'
  | 'inline_code'
  | 'password_files'
  | 'private_keys'
  | 'cloud_secrets'
  | 'database_url'
  | 'environment'
  | 'deep_parents'
  | 'sql_destruction'
  | 'privileges'
  | 'not_scanned'

const DOWNLOAD = /\b(?:curl|wget)\s/i
const POWERSHELL_DOWNLOAD =
  /\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile)\b/i
const TO_INTERPRETER =
  /\|\s*(?:sudo\s+)?(?:\/(?:usr\/)?bin\/)?(?:(?:ba|z|da|k|fi)?sh|python[\d.]{0,6}|node|perl|ruby|php)\b/i
const WHOLE_ENVIRONMENT =
  /\bdict\(os\.environ\)|\bos\.environ\s?[,)}]|\bstringify\(process\.env\)|\/proc\/(?:self|\d{1,9})\/environ\b/
const RAW_DEVICE = '\\/dev\\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk)'

/** In the order in which they are tried; a line gets the first that fits. */
export const SCAN_RULES: readonly ScanRule[] = [
  ...rules('recursive_delete', [
    [/\brm(?=\s)/, /\s--no-preserve-root\b/],
    [
      /\brm(?=\s)/,
      /\s(?:-[a-z]{0,8}r[a-z]{0,8}|--recursive)(?=\s)/i,
      /\s["']?(?:\/|~|\$\{?HOME\}?|\/(?:bin|boot|etc|home|lib|opt|root|sbin|usr|var))["']?\/?\*?["']?(?=[\s;&|)`]|$)/,
    ],
    [/\bfind\s+["']?(?:\/|~|\$\{?HOME\}?)\/?["']?\s/, /\s-delete\b|\s-exec\s+rm\b/],
    [/\brmtree\(\s*(?:["'](?:\/|~)\/?["']|(?:pathlib\.)?Path\.home\(\)|os\.path\.expanduser\()/],
    [/\brmSync\(\s*["']\/["']|\brmSync\(\s*(?:os\.)?homedir\(\)/],
    [/\b(?:rd|rmdir|del)\s+\/s\b/i],
    [
      /\bremove-item\b/i,
      /\s-recurse\b/i,
      /\s["']?(?:[a-z]:\\|~|\$HOME|\$env:USERPROFILE)\\?["']?/i,
    ],
  ]),
  ...rules('fork_bomb', [
    [/:\s*\(\s*\)\s*\{\s*:\s*\|\s*:/],
    [/\bwhile\s+(?:True|1)\b/, /\bos\.fork\(/],
  ]),
  ...rules('raw_disk', [
    [/\bdd(?=\s)/, new RegExp(`\\bof=["']?${RAW_DEVICE}`)],
    [new RegExp(`>\\s*${RAW_DEVICE}`)],
    [/\bmkfs(?:\.\w{1,12})?\s+[-/\w]/],
    [/\b(?:shred|wipefs)\s+[-/]/],
    [/\bformat\s+[a-z]:(?:\s|$)/i],
  ]),
  ...rules('encoded_shell', [
    [/\bbase64(?=\s)/, /\s--?d/i, TO_INTERPRETER],
    [/\bopenssl\s+(?:base64|enc)\b/, /\s-d\b/, TO_INTERPRETER],
    [/\b(?:exec|eval)\(/, /\b(?:b64decode|atob|fromhex)\(|["']base64["']/],
    [/\b(?:powershell|pwsh)(?:\.exe)?\b/i, /\s-e(?:nc|ncodedcommand)?\s/i],
  ]),
  ...rules('downloaded_code', [
    [/\beval\b/, DOWNLOAD],
    [/\b(?:ba|z|da|k)?sh\s+-c\b/, /\$\(|`/, DOWNLOAD],
    [/\b(?:(?:ba|z|da|k)?sh|source)\s+<\(/, DOWNLOAD],
    [/\b(?:exec|eval)\(/, /\b(?:requests\.get|urlopen|urlretrieve|fetch)\(/],
    [/\b(?:iex|invoke-expression)\b/i, POWERSHELL_DOWNLOAD],
  ]),
  ...rules('download_to_shell', [
    [DOWNLOAD, TO_INTERPRETER],
    [POWERSHELL_DOWNLOAD, /\|\s*(?:iex|invoke-expression)\b/i],
  ]),
  ...rules('inline_code', [
    [
      /\bpython[\d.]{0,6}\s+-c\b/,
      /\b(?:exec|eval|__import__)\(|\bimport\s+(?:os|subprocess|pty)\b|\bos\.system\(/,
    ],
    [/\b__import__\(\s*["'](?:os|subprocess|pty|socket)["']/],
    [/\bnode\s+(?:-e|--eval)\b/, /\bchild_process\b|\beval\(/],
    [/\b(?:perl|ruby)\s+-e\b/, /\b(?:system|exec)\b/],
  ]),
  ...rules('password_files', [[/\/etc\/(?:passwd|shadow|gshadow|sudoers|master\.passwd)\b/]]),
  ...rules('private_keys', [
    [/\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)/],
    [/\.ssh\/(?:identity|authorized_keys|\*)/],
    [/-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/],
  ]),
  ...rules('cloud_secrets', [
    [/\.aws\/credentials\b|\.config\/gcloud\b|\.azure\/\w|\.kube\/config\b|\.docker\/config\.json/],
    [/\b169\.254\.169\.254\b|\bmetadata\.google\.internal\b/],
    [/\bA(?:KIA|SIA)[0-9A-Z]{16}\b|\bAWS_SECRET_ACCESS_KEY\b/],
    [/\/\.(?:netrc|pgpass|git-credentials)\b/],
  ]),
  ...rules('database_url', [
    [
      /\b(?:postgres|postgresql|mysql|mongodb|mongodb\+srv|redis):\/\/[^\s:@/]{0,64}:[^\s@/]{1,64}@/,
    ],
    [/\$\{?DATABASE_URL\b/],
  ]),
  ...rules('environment', [
    [/\b(?:env|printenv)\b/, /\|\s*(?:curl|wget|nc|ncat|base64)\b/],
    [/\b(?:curl|wget|nc|ncat)\s/, /\$\(\s*(?:env|printenv)\b|`\s*(?:env|printenv)\b/],
    [WHOLE_ENVIRONMENT],
  ]),
  ...rules('deep_parents', [[/(?:\.\.[/\\]){3}/]]),
  ...rules('sql_destruction', [
    [/\bDROP\s+(?:TABLE|DATABASE|SCHEMA)\b/i],
    [/\bTRUNCATE\s+(?:TABLE\b|["\w.]{1,100}\s*;)/i],
  ]),
  ...rules('privileges', [
    [/\b(?:sudo|doas)\s+[-/\w]/],
    [/\bsu\s+-(?:\s|$)/],
    [/\bchmod\s+(?:-[a-z]{1,8}\s+)?(?:[0-7]?777\b|[ugoa]{0,2}[oa]\+[rxst]{0,4}w|u?\+s\b)/i],
    [/\bchown(?=\s)/, /\sroot\b/],
  ]),
]

function rules(name: ScanRuleName, all: readonly (readonly RegExp[])[]): ScanRule[] {
  return all.map((steps) => ({ name, steps }))
}
