import type { Program } from '../command.ts'
export function addInit(_program: Program): void {}
