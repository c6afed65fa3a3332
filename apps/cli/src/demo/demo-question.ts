/** A question that the demo asks. */
export interface DemoQuestion {
  readonly text: string
  readonly userId: string
  /** Ids of messages of which at least one must be recalled. Undefined: anything will do. */
  readonly expected?: readonly string[] | undefined
}

/** A message, as far as choosing questions goes. */
export interface DemoMessage {
  readonly userId: string
  readonly role: string
  readonly text: string
}
