import type { ColumnType, Generated } from 'kysely';

/** Read as what was stored; written as JSON text, which both drivers pass on unchanged. */
export type Json<T> = ColumnType<T, string, string>;
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;
/** A moment that the database fills in when it is not given. */
export type Moment = ColumnType<Date, Date | undefined, Date>;
export type { Generated };
