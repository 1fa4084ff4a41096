/** Joins class names; what is false or missing is left out. */
export const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')
