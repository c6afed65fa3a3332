import type { z } from 'zod'
import type { AbortableOptions } from '../abort.js'

/** Something that a model may call, bound to whoever it acts for. */
export interface AgentTool {
  /** Letters, digits and underscores, as every provider takes them. */
  readonly name: string
  /** What it does and when to use it, for the model. */
  readonly description: string
  /** What it is called with. */
  readonly inputSchema: z.ZodType
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean
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
