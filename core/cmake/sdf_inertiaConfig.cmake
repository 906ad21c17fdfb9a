# SPDX-License-Identifier: Apache-2.0
# What `find_package(sdf_inertia)` gives: `sdf_inertia_check`, which adds a test for the inertias of robots.

find_program(SDF_INERTIA_EXECUTABLE sdf-inertia DOC "The command sdf-inertia")
if(NOT SDF_INERTIA_EXECUTABLE)
  set(sdf_inertia_FOUND FALSE)
  set(sdf_inertia_NOT_FOUND_MESSAGE "sdf-inertia is not on the PATH: add its folder, or set SDF_INERTIA_EXECUTABLE")
  return()
endif()

# Add a test that runs `sdf-inertia check` in the source folder. It fails where a finding is an error.
#
#   sdf_inertia_check(<file or folder>... [NAME <name>] [STRICT] [FOR <engine>...] [OPTIONS <option>...])
#
# NAME: of the test and of its results; default: inertia.
# STRICT: apply stricter limits, and also report infos.
# FOR: engines whose refusals count, such as gazebo or mujoco.
# OPTIONS: more options of `sdf-inertia check`, such as --xacro-arg arm:=true.
#
# The results are JUnit's XML, in the folder where colcon and ament look for them.
function(sdf_inertia_check)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "STRICT" "NAME" "FOR;OPTIONS")
  if(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sdf_inertia_check: give a file or a folder to check")
  endif()
  if(NOT ARG_NAME)
    set(ARG_NAME inertia)
  endif()
  if(TEST ${ARG_NAME})
    message(FATAL_ERROR "sdf_inertia_check: there is a test ${ARG_NAME} already: give this one another NAME")
  endif()
  set(results "${CMAKE_BINARY_DIR}/test_results/${PROJECT_NAME}")
  if(AMENT_TEST_RESULTS_DIR)
    set(results "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}")
  endif()
  file(MAKE_DIRECTORY "${results}")

  set(command "${SDF_INERTIA_EXECUTABLE}" check --junit "${results}/${ARG_NAME}.xml" ${ARG_OPTIONS})
  if(ARG_STRICT)
    list(APPEND command --strict)
  endif()
  if(ARG_FOR)
    list(JOIN ARG_FOR "," engines)
    list(APPEND command --for "${engines}")
  endif()
  list(APPEND command -- ${ARG_UNPARSED_ARGUMENTS})

  # PYTHONPATH is empty, so that the command uses its own Python packages and not those of ROS.
  if(COMMAND ament_add_test)
    ament_add_test(${ARG_NAME} RESULT_FILE "${results}/${ARG_NAME}.xml" ENV PYTHONPATH=
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" COMMAND ${command})
  else()
    add_test(NAME ${ARG_NAME} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" COMMAND ${command})
    set_tests_properties(${ARG_NAME} PROPERTIES ENVIRONMENT PYTHONPATH=)
  endif()
endfunction()
