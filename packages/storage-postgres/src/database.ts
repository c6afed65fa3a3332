import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** One transaction, whichever driver runs it. Ends with the unit of work: a statement sent later is refused. */
export type Database = PgDatabase<PgQueryResultHKT>

/** The rows of a statement that drizzle's builder cannot express. The two drivers wrap them differently. */
export async function execute<Row>(database: Database, statement: SQL): Promise<readonly Row[]> {
  const result: unknown = await database.execute(statement)
  const rows = Array.isArray(result) ? result : (result as { readonly rows: unknown[] }).rows
  return rows as readonly Row[]
}

/** The row of a statement that always returns exactly one. */
export async function executeOne<Row>(database: Database, statement: SQL): Promise<Row> {
  const [row] = await execute<Row>(database, statement)
  if (row === undefined) throw new TypeError('A statement that returns one row returned none.')
  return row
}

/** Why a statement was not sent. Drizzle wraps what is thrown while a statement runs, so the reason is found by this mark. */
export class StatementRefused extends Error {
  readonly reason: unknown

  constructor(reason: unknown) {
    super('The transaction sends no further statement.')
    this.reason = reason
  }
}

/** Decides whether a transaction may send another statement. */
export interface StatementGate {
  /** How many statements it has let pass. */
  readonly count: number
  /** Lets a statement pass. @throws StatementRefused when the gate was shut. */
  check(): void
  /** Lets none pass any more. `reason` makes what is thrown then. */
  shut(reason: () => unknown): void
}

/**
 * A gate that is open until it is shut.
 *
 * A piece of work that is cancelled may still be running when its connection already serves another tenant, so no
 * statement of it may pass from then on.
 */
export function createStatementGate(): StatementGate {
  let shut: (() => unknown) | undefined
  let count = 0
  return {
    get count() {
      return count
    },
    check() {
      if (shut) throw new StatementRefused(shut())
      count += 1
    },
    shut(reason) {
      shut ??= reason
    },
  }
}

/** A statement with its parameters, as the drivers take it. */
export interface Statement {
  readonly text: string
  readonly values: readonly string[]
  /** Is given what the statement returned, once it is known. */
  readonly onRow?: ((row: Readonly<Record<string, unknown>>) => void) | undefined
}

/** A way to run transactions, as the login role. */
export interface Engine {
  readonly name: 'postgres' | 'pglite'
  /** Runs work in a transaction that `entry`, if there is one, begins. Nobody waits for the end of one that only reads. */
  transaction<Result>(
    work: (database: Database) => Promise<Result>,
    gate: StatementGate,
    entry?: Statement,
    options?: { readonly readOnly?: boolean | undefined },
  ): Promise<Result>
  /** Vectors as one parameter, in the way that is the cheapest for the driver; an SQL array of `vector`. */
  vectorArray(database: Database, vectors: readonly (readonly number[])[]): Promise<SQL>
  /** A database on which each statement is a transaction of its own that `entry` begins, in one journey to the server. */
  single(entry: Statement): Database
  close(): Promise<void>
}
