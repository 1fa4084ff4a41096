import styles from './spinner.module.css'

/** Turns while something runs; appears only after 300 ms. The words beside it say what. */
export const Spinner = () => <span className={styles.spinner} aria-hidden="true" />
