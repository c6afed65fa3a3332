/** A text that says what an agent is, or what it knows of one user; such as `SOUL.md`. */
export interface StoredContextFile {
  readonly agentId: string
  /** Whose it is; `''` for the agent's own, which all users share. */
  readonly userId: string
  readonly name: string
  readonly content: string
  /** 1 when it was first written, one more with each change of its content. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A text that a context file had before. */
export interface ContextFileVersion {
  readonly version: number
  readonly content: string
  /** When another text took its place. */
  readonly replacedAt: Date
}

/** How many replaced texts are kept of a file. */
export const KEPT_FILE_VERSIONS = 20

export interface ContextFileStore {
  /** Those of the agent (`userId` `''`) or of one user, by name. */
  list(agentId: string, userId: string): Promise<readonly StoredContextFile[]>
  find(agentId: string, userId: string, name: string): Promise<StoredContextFile | undefined>
  /** Writes a file. The text that it replaces is kept as a version, `KEPT_FILE_VERSIONS` of them. */
  put(
    file: Pick<StoredContextFile, 'agentId' | 'userId' | 'name' | 'content'>,
  ): Promise<StoredContextFile>
  /**
   * Writes a file as `put` does, if it is still as it was read: `before`, or not there when that is undefined. Returns undefined
   * when it is not.
   */
  replace(
    file: Pick<StoredContextFile, 'agentId' | 'userId' | 'name' | 'content'>,
    before: Pick<StoredContextFile, 'version' | 'content'> | undefined,
  ): Promise<StoredContextFile | undefined>
  /** Writes those files that are not there, or are there and empty. Returns the names of those it wrote. */
  putMissing(
    agentId: string,
    userId: string,
    files: readonly Pick<StoredContextFile, 'name' | 'content'>[],
  ): Promise<readonly string[]>
  /** Deletes a file with its versions. Returns false when there is none. */
  delete(agentId: string, userId: string, name: string): Promise<boolean>
  /** What a file said before, newest first. */
  versions(agentId: string, userId: string, name: string): Promise<readonly ContextFileVersion[]>
}
