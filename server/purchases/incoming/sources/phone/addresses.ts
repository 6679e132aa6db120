/** Addresses of this computer at which a phone in the same network can reach it. */
import { networkInterfaces } from 'node:os'
import { isOwnNetwork } from '../../../../platform/http-client/addresses.ts'

export interface OwnAddress {
  address: string
  /** Name of the network device, as the system has it. */
  network: string
}

/** Returns the private IPv4 addresses of this computer, those of virtual networks last. */
export function ownAddresses(interfaces = networkInterfaces()): OwnAddress[] {
  const all = Object.entries(interfaces).flatMap(([network, found = []]) =>
    found
      .filter(({ family, internal, address }) => family === 'IPv4' && !internal && isOwnNetwork(address))
      .map(({ address }) => ({ address, network })),
  )
  const isVirtual = ({ network }: OwnAddress): boolean =>
    /^(?:docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|wg|tailscale|vEthernet)/i.test(network)
  return all.toSorted((a, b) => Number(isVirtual(a)) - Number(isVirtual(b)))
}
