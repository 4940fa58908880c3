// The suite's receiver in a process of its own; prints its address, and ends at SIGTERM.
import { startReceiver } from '../../../contract-tests/push-receiver/push-receiver.ts';

const receiver = await startReceiver({});
console.log(receiver.urlOf('/run/1'));
process.once('SIGTERM', async () => {
  await receiver.close();
  process.exit();
});
