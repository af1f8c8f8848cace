import { shapesOf } from "millrace/shapes";
import { z } from "zod";

export const { JobId, Milliseconds, Text } = shapesOf(z);
