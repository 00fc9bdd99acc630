import type { Program } from '../command.ts'
export function addChat(_program: Program): void {}
