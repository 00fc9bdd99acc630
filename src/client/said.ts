/** What the product says in English, for people who read another language. */
export { german } from '../core/said/de/index.ts'
export { sayer } from '../core/said/said.ts'
