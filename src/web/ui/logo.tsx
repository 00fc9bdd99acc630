/** The mark of the product; its file is `public/icon.svg`. */
export function Logo() {
  return <img src="/icon.svg" alt="" width={28} height={28} className="flex-none" />
}
