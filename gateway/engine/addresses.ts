import { BlockList, isIP } from 'node:net'

/**
 * Addresses that hand out a machine's own credentials or reach what no search request needs:
 * link-local ranges (RFC 3927, RFC 4291) with the metadata services of cloud providers in them,
 * unspecified and multicast addresses. Loopback and private networks stay allowed: engines live there.
 */
const refused = new BlockList()
refused.addSubnet('169.254.0.0', 16, 'ipv4')
refused.addSubnet('0.0.0.0', 8, 'ipv4')
refused.addSubnet('224.0.0.0', 3, 'ipv4')
refused.addAddress('100.100.100.200', 'ipv4')
refused.addAddress('168.63.129.16', 'ipv4')
refused.addSubnet('fe80::', 10, 'ipv6')
refused.addSubnet('ff00::', 8, 'ipv6')
refused.addAddress('::', 'ipv6')
refused.addAddress('fd00:ec2::254', 'ipv6')
refused.addAddress('fd20:ce::254', 'ipv6')

/** Whether outgoing calls may not connect to this IP address; IPv4 inside IPv6 is looked through. */
export function isRefusedAddress(address: string) {
  const version = isIP(address)
  if (version === 4) return refused.check(address, 'ipv4')
  if (version !== 6) return false
  const embedded = embeddedIpv4(address)
  return refused.check(address, 'ipv6') || (embedded !== undefined && refused.check(embedded))
}

/** The IPv4 address inside `::ffff:a.b.c.d`, `64:ff9b::` and 6to4 forms, when there is one. */
function embeddedIpv4(address: string) {
  const groups = expand(address)
  const dotted = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const leading = groups.slice(0, 5).every((group) => group === 0)
  // ::1 and :: are no IPv4 addresses in the old compatible form, whose first bytes are not zero.
  if (leading && (groups[5] === 0xffff || (groups[5] === 0 && groups[6] !== 0)))
    return dotted(groups[6], groups[7])
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return dotted(groups[6], groups[7])
  if (groups[0] === 0x2002) return dotted(groups[1], groups[2])
  return undefined
}

/** The eight groups of an IPv6 address that `isIP` accepted. */
function expand(address: string) {
  const plain = (address.split('%')[0] ?? '').replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = '', tail] = plain.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((g) => parseInt(g, 16)))
  const front = parse(head)
  const back = tail === undefined ? [] : parse(tail)
  return [...front, ...Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back]
}
