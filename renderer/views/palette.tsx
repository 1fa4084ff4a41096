import { Command } from 'cmdk'
import { useState } from 'react'
import type { Client } from '../client/client.ts'
import { useApp } from '../stores/app.ts'
import { useCommands } from '../stores/command-list.ts'
import { openFile } from '../stores/open-file.ts'
import { notify, openSurface, useSurface } from '../stores/surface.ts'
import { selectEnvironment } from '../stores/workspace.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { iconOfFile } from './icon-of-file.ts'
import styles from './palette.module.css'

const MODES = {
  palette: { title: 'Command palette', hint: 'Type a command or the name of a file' },
  files: { title: 'Go to file', hint: 'Type the name of a file' },
  environments: { title: 'Select environment', hint: 'Type the name of an environment' },
}

/** One field for commands, files and environments. Esc closes it and gives the focus back. */
export function Palette({ client }: { client: Client }) {
  const open = useSurface((surface) => surface.open)
  const mode = open === 'palette' || open === 'files' || open === 'environments' ? open : null
  return (
    <Dialog
      title={mode ? MODES[mode].title : ''}
      isOpen={mode !== null}
      onClose={() => openSurface(null)}
      hideHeader
    >
      {mode && <PaletteList key={mode} mode={mode} client={client} />}
    </Dialog>
  )
}

function PaletteList({ mode, client }: { mode: keyof typeof MODES; client: Client }) {
  const [search, setSearch] = useState('')
  const isEmptySearch = search.trim() === ''
  return (
    <Command label={MODES[mode].title} loop>
      <div className={styles.field}>
        <Icon name="search" />
        <Command.Input
          className={styles.input}
          placeholder={MODES[mode].hint}
          value={search}
          onValueChange={setSearch}
          autoFocus
        />
      </div>
      <Command.List className={styles.list} label={MODES[mode].title}>
        <Command.Empty className={styles.empty}>
          Nothing is called “{search}”. Try another word.
        </Command.Empty>
        {mode === 'palette' && <CommandItems />}
        {(mode === 'files' || (mode === 'palette' && !isEmptySearch)) && (
          <FileItems client={client} />
        )}
        {mode === 'environments' && <EnvironmentItems client={client} />}
      </Command.List>
    </Command>
  )
}

/** Closes the palette first: the dialog must be gone before the command moves the focus. */
const choose = (run: () => void) => () => {
  openSurface(null)
  setTimeout(run)
}

function CommandItems() {
  const commands = useCommands()
  return (
    <Command.Group heading="Commands">
      {commands
        .filter(({ id }) => id !== 'view.palette')
        .map(({ id, title, keys, unavailable, run }) => {
          const reason = unavailable()
          return (
            <Command.Item
              key={id}
              value={`${title} ${id}`}
              disabled={reason !== undefined}
              onSelect={choose(run)}
            >
              <Icon name="chevron-right" />
              <span className={styles.label}>{title}</span>
              {reason !== undefined && <span className={styles.reason}>{reason}</span>}
              {keys[0] && <Kbd keys={keys[0]} />}
            </Command.Item>
          )
        })}
    </Command.Group>
  )
}

function FileItems({ client }: { client: Client }) {
  const files = useApp(({ state }) => state?.workspace?.files)
  if (!files) return null
  return (
    <Command.Group heading="Files">
      {files.map(({ path, kind }) => {
        const cut = path.lastIndexOf('/') + 1
        return (
          <Command.Item
            key={path}
            value={path}
            onSelect={choose(() => void openFile(client, path, { takeFocus: true }))}
          >
            <Icon name={iconOfFile(kind)} />
            <span className={styles.label}>
              {path.slice(cut)} <span className={styles.folder}>{path.slice(0, cut)}</span>
            </span>
          </Command.Item>
        )
      })}
    </Command.Group>
  )
}

function EnvironmentItems({ client }: { client: Client }) {
  const environments = useApp(({ state }) => state?.workspace?.environments)
  const select = (name: string | null) =>
    choose(() => {
      selectEnvironment(client, name).catch((error: unknown) =>
        notify('The environment could not be changed', String(error), 'error'),
      )
    })
  return (
    <Command.Group heading="Environments">
      {environments?.map((name) => (
        <Command.Item key={name} value={name} onSelect={select(name)}>
          <Icon name="symbol-variable" />
          <span className={styles.label}>{name}</span>
        </Command.Item>
      ))}
      <Command.Item value="No environment" onSelect={select(null)}>
        <Icon name="circle-slash" />
        <span className={styles.label}>No environment</span>
      </Command.Item>
    </Command.Group>
  )
}
