# Tool-info module of Heddle for BenchExec.
#
# Name it in a benchmark definition as <benchmark tool="heddle_info.heddle">, with the folder above
# in PYTHONPATH: BenchExec looks for names without a dot in its own package only.

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Heddle, a verifier for multi-threaded programs."""

    # The program and its modules (heddle_c.so, heddle_z3.so, …) belong together.
    REQUIRED_PATHS = ["."]

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle")

    def name(self):
        return "Heddle"

    def project_url(self):
        return ""

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heddle")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *task.input_files, "--svcomp", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        data_model = get_data_model_from_task(task, {ILP32: "-m32", LP64: "-m64"})
        if data_model:
            command.append(data_model)
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(rlimits.cputime)]
        return command

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        lines = [line.strip() for line in run.output if line.strip()]
        last = lines[-1] if lines else ""
        if last == "TRUE":
            return result.RESULT_TRUE_PROP
        if last == "FALSE":
            return result.RESULT_FALSE_PROP
        if last.startswith("FALSE(") and last.endswith(")"):
            return result.RESULT_FALSE_PROP + last[len("FALSE"):]
        if last == "UNKNOWN":
            reason = next((l for l in lines if l.startswith("UNKNOWN:")), "")
            if "the memory limit" in reason:
                return "OUT OF MEMORY"
            if "the time limit" in reason:
                return result.RESULT_TIMEOUT
            return result.RESULT_UNKNOWN
        if run.exit_code.value == 3:
            return result.RESULT_ERROR + "(bad input)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        for line in output:
            if line.strip().startswith(identifier):
                return line.strip()[len(identifier):].strip()
        return None
