/** The mark of the program: a gate that lets one stream through. */
export const Logo = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
    <path d="M4 3v18M20 3v18" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
    <path d="M4 7h16" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
    <path
      d="M8 13c1.3-1.6 2.7-1.6 4 0s2.7 1.6 4 0M8 18c1.3-1.6 2.7-1.6 4 0s2.7 1.6 4 0"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
    />
  </svg>
)
