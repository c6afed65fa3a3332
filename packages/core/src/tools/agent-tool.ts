import type { z } from 'zod'
import type { AbortableOptions } from '../abort.js'

/** What may come of calling a tool, for whoever decides whether to ask a person first. What is left out counts as the worst. */
export interface ToolEffects {
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean
  /** Whether it may take away or replace what was there. Default: unless it is read-only. */
  readonly isDestructive?: boolean | undefined
  /** Whether the same call a second time changes nothing more. Default: if it is read-only. */
  readonly isIdempotent?: boolean | undefined
  /** Whether it reaches beyond what Loam keeps, such as the web. Default true. */
  readonly isOpenWorld?: boolean | undefined
}

/** Something that a model may call, bound to whoever it acts for. */
export interface AgentTool extends ToolEffects {
  /** Letters, digits and underscores, as every provider takes them. */
  readonly name: string
  /** What people call it, such as "Search memory". */
  readonly title?: string | undefined
  /** What it does and when to use it, for the model. */
  readonly description: string
  /** What it is called with. */
  readonly inputSchema: z.ZodType
  /**
   * Does it, and answers in words for the model.
   *
   * @param input of any shape; it is checked.
   * @throws InvalidInputError when the input does not fit. @throws LoamError for what it may not or cannot do.
   */
  run(input: unknown, options?: AbortableOptions): Promise<string>
}

/** A tool, as it is written: its input arrives checked. */
export interface ToolDefinition<Schema extends z.ZodType> extends Omit<
  AgentTool,
  'inputSchema' | 'run'
> {
  readonly inputSchema: Schema
  run(input: z.infer<Schema>, options: AbortableOptions): Promise<string>
}
