/**
 * A door on the machine's loopback: `node front.ts PORT SOCKET-FILE HOST TARGET-PORT` leads each connection through the
 * relay to one target. It keeps its port while the relay behind it is restarted.
 *
 * @module
 */
import { createServer } from 'node:net'
import { dial } from './dial.ts'
import { FRONT_IS_OPEN, join } from './protocol.ts'

const [port = '', socketFile = '', host = '', targetPort = ''] = process.argv.slice(2)

createServer({ allowHalfOpen: true }, (caller) => {
  caller.on('error', () => caller.destroy())
  dial(socketFile, host, Number(targetPort)).then(
    (target) => join(caller, target),
    () => caller.destroy(),
  )
}).listen(Number(port), '127.0.0.1', () => console.log(FRONT_IS_OPEN))
