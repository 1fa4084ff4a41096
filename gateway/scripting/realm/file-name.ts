/** File name of our own code in stack traces; frames of it are never shown. */
export const REALM_FILE = 'sluice:realm'
