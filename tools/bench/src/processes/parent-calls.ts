/** A call that the parent process makes over the channel between the two. */
export interface ParentCall {
  readonly id: number
  readonly method: string
  readonly parameters: unknown
}

/** The answer to a call. */
export type ChildAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }

/** Answers the calls of the parent process until that one ends or lets go. */
export function answerParent(
  methods: Readonly<Record<string, (parameters: never) => unknown>>,
): void {
  const answer = async ({ id, method, parameters }: ParentCall): Promise<ChildAnswer> => {
    try {
      const run = methods[method]
      if (!run) throw new TypeError(`There is no method ${method}.`)
      return { id, result: await run(parameters as never) }
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  process.on('message', (call: ParentCall) => {
    void answer(call).then((reply) => process.send?.(reply))
  })
  process.on('disconnect', () => process.exit())
}
