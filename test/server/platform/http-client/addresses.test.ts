/**
 * The allowed targets of a call: each range at both its ends, and every spelling of an address that means another
 * one.
 */
import { describe, expect, test } from 'vitest'
import {
  isLoopback,
  isOwnNetwork,
  isPublicAddress,
} from '../../../../server/platform/http-client/addresses.ts'

describe('a public address', () => {
  test.each([
    '1.0.0.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '2001:200::1',
    '2a00:1450:4003:80e::200e',
    '2600::',
    '2003::1',
    '3ffe:ffff::1',
    '3fff:1000::',
  ])('%s is allowed', (ip) => expect(isPublicAddress(ip)).toBe(true))

  test.each([
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.0.0',
    '169.254.169.254',
    '169.254.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.0',
    '192.0.0.255',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.0',
    '192.168.255.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.0',
    '255.255.255.255',
  ])('%s of IPv4 is not', (ip) => expect(isPublicAddress(ip)).toBe(false))

  test.each([
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '1fff:ffff::',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:1ff:ffff::',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::',
    '3fff:fff:ffff::',
    '4000::',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ])('%s of IPv6 is not', (ip) => expect(isPublicAddress(ip)).toBe(false))

  test.each([
    '',
    ' 8.8.8.8',
    '8.8.8',
    '8.8.8.8.8',
    '134744072',
    '0x08080808',
    '010.8.8.8',
    '08.8.8.8',
    '8.8.8.256',
    '8.8.8.-8',
    '８.8.8.8',
    '8。8。8。8',
    '[2600::]',
    '2600::1%eth0',
    '2600:::1',
    '2600::1::2',
    '2600:1:2:3:4:5:6',
    '2600:1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::8',
    '2600::12345',
    '2600::8.8.8',
    '2600::g',
    'localhost',
    'example.com',
  ])('"%s" is not an address', (ip) => {
    expect([isPublicAddress(ip), isLoopback(ip), isOwnNetwork(ip)]).toEqual([false, false, false])
  })
})

test('only this computer is loopback', () => {
  for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:7f00:1'])
    expect(isLoopback(ip), ip).toBe(true)
  for (const ip of ['0.0.0.0', '126.255.255.255', '128.0.0.1', '::', '::2', '::127.0.0.1', '::ffff:8.8.8.8'])
    expect(isLoopback(ip), ip).toBe(false)
})

test('the own network consists of private addresses, without those where clouds serve credentials', () => {
  for (const ip of ['10.0.0.9', '172.20.1.1', '192.168.1.10', '100.100.0.1', 'fd12:3456::1', 'fc00::1'])
    expect(isOwnNetwork(ip), ip).toBe(true)
  for (const ip of [
    '127.0.0.1',
    '169.254.169.254',
    '8.8.8.8',
    '172.32.0.1',
    'fe80::1',
    '::1',
    'ff02::1',
    '0.0.0.0',
  ])
    expect(isOwnNetwork(ip), ip).toBe(false)
})
