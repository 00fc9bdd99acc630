/** RFC 5321 limits, without quoted local parts and address literals, which are not used in practice. */
const ADDRESS =
  /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*$/u

/** Whether this is a plain address of mail, without a name. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text) && !text.includes('..') && !/^\.|\.@/.test(text)
}
