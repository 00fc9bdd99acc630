export { backUp, restore } from '../storage/backup.ts'
export { KEY_FILE } from '../storage/secret-key.ts'
