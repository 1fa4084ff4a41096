import type * as Monaco from './monaco.ts'
import type { Theme } from '../stores/theme.ts'

/** Gives Monaco the colours of the page's tokens; to be called again when the theme changed. */
export function applyEditorTheme(monaco: typeof Monaco, theme: Theme) {
  const tokens = getComputedStyle(document.documentElement)
  const color = (name: string) => toHex(tokens.getPropertyValue(name).trim())
  const rule = (token: string, name: string, fontStyle = '') => ({
    token,
    foreground: color(name).slice(1),
    fontStyle,
  })
  monaco.editor.defineTheme('sluice', {
    base: theme === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', '--c-fg'),
      rule('comment', '--c-syntax-comment', 'italic'),
      rule('string', '--c-syntax-string'),
      rule('string.yaml', '--c-syntax-string'),
      rule('string.key.json', '--c-syntax-key'),
      rule('string.value.json', '--c-syntax-string'),
      rule('type', '--c-syntax-key'),
      rule('key', '--c-syntax-key'),
      rule('number', '--c-syntax-number'),
      rule('keyword', '--c-syntax-keyword'),
      rule('keyword.json', '--c-syntax-keyword'),
      rule('constant', '--c-syntax-keyword'),
      rule('method', '--c-accent', 'bold'),
      rule('separator', '--c-fg-muted', 'bold'),
      rule('header', '--c-syntax-key'),
      rule('delimiter', '--c-fg-muted'),
      rule('operators', '--c-fg-muted'),
      rule('tag', '--c-syntax-keyword'),
      rule('namespace', '--c-syntax-keyword'),
      rule('identifier', '--c-fg'),
    ],
    colors: {
      'editor.background': color('--c-bg'),
      'editor.foreground': color('--c-fg'),
      'editorLineNumber.foreground': color('--c-skipped-fg'),
      'editorLineNumber.dimmedForeground': color('--c-skipped-fg'),
      'editorLineNumber.activeForeground': color('--c-fg'),
      'editor.lineHighlightBackground': color('--c-panel'),
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': color('--c-selection'),
      'editorCursor.foreground': color('--c-accent'),
      'editorIndentGuide.background1': color('--c-hairline'),
      'editorIndentGuide.activeBackground1': color('--c-control-border'),
      'editorWidget.background': color('--c-raised'),
      'editorWidget.border': color('--c-hairline'),
      'editorHoverWidget.background': color('--c-raised'),
      'editorSuggestWidget.selectedBackground': color('--c-active'),
      'editorSuggestWidget.selectedForeground': color('--c-fg'),
      'editorSuggestWidget.selectedIconForeground': color('--c-fg'),
      'editorSuggestWidget.highlightForeground': color('--c-accent'),
      'editorSuggestWidget.focusHighlightForeground': color('--c-accent'),
      'editorCodeLens.foreground': color('--c-fg-muted'),
      'editorError.foreground': color('--c-error-fg'),
      'editorWarning.foreground': color('--c-warn-fg'),
      'editorInfo.foreground': color('--c-accent'),
      'editorBracketMatch.background': color('--c-active'),
      'editorBracketMatch.border': color('--c-control-border'),
      'editorGutter.background': color('--c-bg'),
      'editorOverviewRuler.border': '#00000000',
      'scrollbar.shadow': '#00000000',
      'scrollbarSlider.background': `${color('--c-control-border')}55`,
      'scrollbarSlider.hoverBackground': `${color('--c-control-border')}88`,
      focusBorder: color('--c-focus'),
      'input.background': color('--c-bg'),
      'input.border': color('--c-control-border'),
      'list.hoverBackground': color('--c-hover'),
      'menu.background': color('--c-raised'),
      'menu.foreground': color('--c-fg'),
      'menu.selectionBackground': color('--c-active'),
      'menu.selectionForeground': color('--c-fg'),
      'menu.separatorBackground': color('--c-hairline'),
      'menu.border': color('--c-hairline'),
    },
  })
  monaco.editor.setTheme('sluice')
}

/** Monaco wants six digits. Forced colours give names; a grey that stands out on both serves then. */
function toHex(value: string) {
  if (/^#[0-9a-f]{3}$/i.test(value)) return value.replaceAll(/[0-9a-f]/gi, '$&$&')
  return /^#[0-9a-f]{6}$/i.test(value) ? value : '#808080'
}
