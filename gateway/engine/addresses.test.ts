import { expect, test } from 'vitest'
import { isRefusedAddress } from './addresses.ts'

test.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  '100.100.100.200',
])('outgoing calls may not reach %s', (address) => {
  expect(isRefusedAddress(address)).toBe(true)
})

test.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.9', '93.184.216.34', '2606:2800:220:1::1'])(
  'outgoing calls may reach %s',
  (address) => {
    expect(isRefusedAddress(address)).toBe(false)
  },
)
