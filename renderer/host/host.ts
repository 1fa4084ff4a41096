/** Everything the UI may ask of the world around the page. What a host cannot do is null. */
export interface Host {
  /** Asks for a folder; null means cancelled. Without it the UI asks for a path as text. */
  pickFolder: (() => Promise<string | null>) | null
  /** Opens an http or https address outside of the workbench. */
  openExternal(url: string): void
  /** Gives the user a file to keep; resolves when it was handed over or cancelled. */
  saveFile(name: string, content: string | Uint8Array, mediaType: string): Promise<void>
  /** True where Mod+W, Mod+T and Ctrl+Tab reach the page; a browser keeps them. */
  ownsTabKeys: boolean
  isMac: boolean
}
