import styles from './kbd.module.css'

/** A key or a chord, such as `Ctrl+Enter`. */
export const Kbd = ({ keys }: { keys: string }) => <kbd className={styles.kbd}>{keys}</kbd>
