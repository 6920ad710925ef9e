import { addMonths } from '../base/clock/calendar.ts';
import { requestTime, type ClockRow, readClock } from '../kernel/clock-row.ts';
import { realNow } from '../base/clock/time.ts';
import type { Database } from '../database/open.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import {
  type OperationInput,
  hasInput,
  type AdminOperation,
  type OperationContext,
  type Row,
  readText,
  type OperationResult,
} from './operation-input.ts';

const [MINUTE, HOUR, DAY] = [60_000, 60 * 60_000, 24 * 60 * 60_000];
const MAX_YEARS = 10;

const UNITS: Readonly<Record<string, (from: number, count: number) => number>> = {
  min: (from, count) => from + count * MINUTE,
  h: (from, count) => from + count * HOUR,
  d: (from, count) => from + count * DAY,
  mo: addMonths,
  y: (from, count) => addMonths(from, 12 * count),
};

const formatSecond = (moment: number): string => new Date(moment).toISOString().replace(/\.\d+Z$/, 'Z');

function addDuration(from: number, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([a-z]+)$/.exec(text) ?? [];
  const addUnits = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (addUnits === undefined || Number(count) === 0)
    throw new BadOperation(`forward must be like 90min, 2h, 31d, 1mo or 1y, not "${text}".`);
  return addUnits(from, Number(count));
}

/** Parses a moment in UTC, or a day for its beginning. */
function parseMoment(text: string): number {
  const [, day = '', time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)Z)?$/.exec(text) ?? [];
  const moment = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 10) !== day)
    throw new BadOperation(`to must be a moment in UTC like 2028-01-31T12:00Z, or a day like 2028-01-31, not "${text}".`);
  return moment;
}

/**
 * The target time of the clock, in milliseconds since 1970.
 * @param from the current time of the clock, or the one that it is already moving to
 */
function readTargetTime(input: OperationInput, from: number): number {
  if (hasInput(input, 'forward') === hasInput(input, 'to'))
    throw new BadOperation('Give either forward or to: exactly one of them.');
  const target = hasInput(input, 'forward') ? addDuration(from, readText(input, 'forward')) : parseMoment(readText(input, 'to'));
  if (target < from)
    throw new BadOperation(
      `The clock is at ${formatSecond(from)} and moves forward only: existing payments and renewals would have dates in the future. To try an earlier time, start with a new DATA_DIR or database.`,
    );
  if (target > addMonths(realNow(), 12 * MAX_YEARS))
    throw new BadOperation(`The clock can be at most ${MAX_YEARS} years ahead of the machine's, not at ${formatSecond(target)}.`);
  return target;
}

const assertMovable = ({ isMovable }: ClockRow): void => {
  if (!isMovable)
    throw new BadOperation(
      'The clock of this shop cannot be moved: its database has been used with a payment provider, whose clock cannot be moved. Use a shop with the test gateway and another DATA_DIR or database.',
    );
};

const toRow = ({ ahead, targetAhead }: ClockRow): Row => {
  const realTime = realNow();
  return {
    shop: formatSecond(realTime + ahead),
    machine: formatSecond(realTime),
    goesTo: targetAhead > ahead ? formatSecond(realTime + targetAhead) : '',
  };
};

const show: AdminOperation = async ({ db }) => {
  const clock = await readClock(db);
  const messageField = clock.targetAhead === 0 ? { message: 'The clock of this shop has not been moved.' } : {};
  return { rows: [toRow(clock)], ...messageField };
};

/** Moves the clock of a running shop until it reaches the target. */
async function moveClockTo({ followClock }: OperationContext, db: Database, targetAhead: number): Promise<ClockRow> {
  let clock = await readClock(db);
  while (followClock && clock.ahead < targetAhead) {
    const previousAhead = clock.ahead;
    await followClock().catch((error: unknown) => {
      throw new BadOperation(
        `The clock waits at ${formatSecond(realNow() + previousAhead)}, and the shop tries again every second. ${error instanceof Error ? error.message : ''}`,
      );
    });
    clock = await readClock(db);
    // The shop is stopping.
    if (clock.ahead === previousAhead) break;
  }
  return clock;
}

const move: AdminOperation = async (context, _, input): Promise<OperationResult> => {
  const { db } = context;
  const clock = await readClock(db);
  assertMovable(clock);
  const now = realNow();
  const targetAhead = readTargetTime(input, now + clock.targetAhead) - now;
  if (input['dryRun'] === true)
    return {
      rows: [toRow({ ...clock, targetAhead: targetAhead })],
      message: `The clock could be moved to ${formatSecond(now + targetAhead)}.`,
    };
  if (!(await requestTime(db, targetAhead)))
    throw new BadOperation('The clock was moved by another command at the same moment. Try again.');
  const movedClock = await moveClockTo(context, db, targetAhead);
  const message =
    movedClock.ahead >= targetAhead
      ? `The clock of this shop is at ${formatSecond(realNow() + movedClock.ahead)}.`
      : 'Running shops move their clock there within seconds, a stopped shop when it is started.';
  return { rows: [toRow(movedClock)], message };
};

/** One clock for all stores on the database. */
export const clockOperations: Readonly<Record<string, AdminOperation>> = { 'clock show': show, 'clock move': move };
