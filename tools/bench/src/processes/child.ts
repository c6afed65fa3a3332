import { fork } from 'node:child_process'
import { once } from 'node:events'
import { nodeArguments, processFile, repositoryRoot } from './code.js'
import type { ChildAnswer, ParentCall } from './parent-calls.js'

/** A process of this folder that answers calls. */
export interface Child {
  /** @throws Error when the method fails or the process has ended. */
  call<Result>(method: string, parameters?: unknown): Promise<Result>
  stop(): Promise<void>
}

/** A call that has no answer yet. */
interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Starts the process of that name, with these variables besides those of this process. */
export function startChild(
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Child {
  const child = fork(processFile(name), [], {
    cwd: repositoryRoot,
    execArgv: [...nodeArguments],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, Waiting>()
  let calls = 0

  child.on('message', (answer: ChildAnswer) => {
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) call?.reject(new Error(`${name}: ${answer.error}`))
    else call?.resolve(answer.result)
  })
  const ended = once(child, 'exit')
  child.on('exit', (code) => {
    for (const call of waiting.values()) {
      call.reject(new Error(`The process ${name} ended with ${String(code)}.`))
    }
  })

  return {
    async call<Result>(method: string, parameters?: unknown): Promise<Result> {
      const id = (calls += 1)
      const answered = new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
      })
      child.send({ id, method, parameters } satisfies ParentCall, (error) => {
        if (error) waiting.get(id)?.reject(error)
      })
      return (await answered) as Result
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
