import { setTimeout as delay } from 'node:timers/promises'
import { Worker, type Job, type JobJson } from 'bullmq'

const RESPITE_MS = 1_000

/** BullMQ's worker, but calm when Redis refuses to hand out jobs, and able to get rid of any job that it is handed. */
export class SteadyWorker extends Worker {
  /** Asked again at once by BullMQ whenever it rejects, thousands of times in a second while, say, a right is missing. */
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name)
    } catch (error) {
      await delay(RESPITE_MS, undefined, { ref: false })
      throw error
    }
  }

  /** A job whose data is no JSON would come back for ever, since BullMQ fails before anybody can say that it is done. */
  protected override createJob(data: JobJson, id: string): Job {
    try {
      return super.createJob(data, id)
    } catch {
      return super.createJob({ ...data, data: 'null' }, id)
    }
  }
}
