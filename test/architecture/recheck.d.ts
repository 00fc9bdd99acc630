/** The checker in JavaScript: the package's main entry starts a native program or Java where it finds one. */
declare module 'recheck/lib/browser.js' {
  export { checkSync } from 'recheck'
}
