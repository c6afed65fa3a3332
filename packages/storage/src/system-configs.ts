/** A setting of a tenant. */
export interface SystemConfig {
  /** Such as `skills.slash_commands.prefix`. */
  readonly key: string
  readonly value: string
  readonly updatedAt: Date
}

export interface SystemConfigStore {
  /** By key. */
  list(): Promise<readonly SystemConfig[]>
  find(key: string): Promise<SystemConfig | undefined>
  put(key: string, value: string): Promise<SystemConfig>
  /** Returns false when there is none. */
  delete(key: string): Promise<boolean>
}
