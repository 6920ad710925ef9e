import type { EventObject } from 'xstate';
import { isUnreachable, type Problem } from '../model/problem.ts';
import { channelPort } from '../ports.ts';

export type ConnectionSignal = { type: 'connection.returned' };

/** Sends `connection.returned` when the device is online again. */
export const connectionPort = (...run: Parameters<typeof channelPort<EventObject, ConnectionSignal>>) =>
  channelPort<EventObject, ConnectionSignal>(...run);

/** Whether the failed request may succeed once the connection returns. */
export const mayContinue = ({ context: { problem } }: { context: { problem: Problem | null } }): boolean =>
  problem !== null && (isUnreachable(problem) || (problem.kind === 'refused' && problem.code === 'busy'));
