/** Hands a file over as the page's download; a browser or a shell shows where it goes. */
export function download(name: string, content: string | Uint8Array, mediaType: string) {
  const part = typeof content === 'string' ? content : new Uint8Array(content)
  const url = URL.createObjectURL(new Blob([part], { type: mediaType }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken its own hold of the blob by the next task.
  setTimeout(() => URL.revokeObjectURL(url))
}
