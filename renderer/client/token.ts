const KEY = 'sluice.token'

/**
 * The token of the control API. It arrives as `#token=…`, is taken out of the address at once and
 * kept for this tab's reloads. Empty text when there is none.
 */
export function takeToken(): string {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const fresh = fragment.get('token')
  if (fresh) {
    sessionStorage.setItem(KEY, fresh)
    history.replaceState(null, '', location.pathname + location.search)
  }
  return fresh ?? sessionStorage.getItem(KEY) ?? ''
}
