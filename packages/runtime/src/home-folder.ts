import { makeOwnFolder, toFolderError } from '@loam/storage-postgres'

/**
 * Makes the home folder for its owner only; nothing if it is there.
 *
 * @throws ConfigurationError when it cannot be made.
 */
export async function makeHome(home: string): Promise<void> {
  try {
    await makeOwnFolder(home)
  } catch (error) {
    throw toFolderError(error, {
      folder: home,
      setting: 'LOAM_HOME',
      cure: 'Set LOAM_HOME to a folder that this process may make and write to.',
    })
  }
}
