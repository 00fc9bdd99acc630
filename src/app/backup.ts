export { backUp, restore } from '../storage/backup.ts'
export { KEY_FILE } from '../storage/secret-key.ts'
export { keepPrivate } from './private-files.ts'
