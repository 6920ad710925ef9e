import type { EventObject } from 'xstate';
import { isUnreached, type Problem } from '../model/problem.ts';
import { channelPort } from '../ports.ts';

export type ConnectionNews = { type: 'connection.returned' };

/** Tells `connection.returned` when the device is online again. */
export const connectionPort = (...run: Parameters<typeof channelPort<EventObject, ConnectionNews>>) =>
  channelPort<EventObject, ConnectionNews>(...run);

/** Whether what failed may succeed when the connection returns. */
export const mayContinue = ({ context: { problem } }: { context: { problem: Problem | null } }): boolean =>
  problem !== null && (isUnreached(problem) || (problem.kind === 'refused' && problem.code === 'busy'));
